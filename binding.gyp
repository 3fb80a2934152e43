{
  'targets': [
    {
      'target_name': 'tacet',
      'sources': ['<!@(ls models/tensor/native/*.cc)'],
      'cflags_cc!': ['-fno-exceptions', '-fno-rtti', '-std=gnu++17', '-std=gnu++20', '-O2'],
      'cflags_cc': ['-std=c++17', '-O3', '-fexceptions', '-fno-math-errno', '-fno-trapping-math', '-ffp-contract=fast', '-fvisibility=hidden', '-Wall', '-Wextra', '-Wno-psabi', '-pthread'],
      'ldflags': ['-pthread'],
      'xcode_settings': {
        'CLANG_CXX_LANGUAGE_STANDARD': 'c++17',
        'GCC_ENABLE_CPP_EXCEPTIONS': 'YES',
        'GCC_OPTIMIZATION_LEVEL': '3',
        'OTHER_CPLUSPLUSFLAGS': ['-fno-math-errno', '-fno-trapping-math', '-ffp-contract=fast']
      }
    }
  ]
}
