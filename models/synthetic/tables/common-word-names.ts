/** Names that are also words, months or eponyms, so that no word is PHI by itself. */
export const COMMON_WORD_NAMES = {
  first: {
    female:
      'Rose Grace May June April Faith Hope Joy Dawn Summer Ruby Iris Violet Olive Penny Ivy Daisy Pearl Heather Holly Amber Crystal Ginger Joy Charity Patience Melody Robin Sandy Carol'.split(
        ' ',
      ),
    male: 'Will Mark Bill Chase Frank Grant Drew Rob Jack Art Gene Miles Max Ray Dean Rich Guy Clay Wade Cliff Dale Glen Heath Pat Chip Jay Norm Sandy Victor August'.split(
      ' ',
    ),
  },
  surname:
    'White Brown Young Long Short Rice Bush Field Wood Banks Cook Hand Foot Day Weeks Winter Hill Lake Price Sharp Small Strong Stone Parkinson Graves Bell Hodgkin Addison Bright Murphy Foley Barrett Paget Turner Marfan Best Head Hart Payne Love Burns Blood Butcher Baker Cross Church Temple Marsh Rivers Ford Park Green Gray Reed Walker Little Good March Snow Rash Cough'.split(
      ' ',
    ),
};
