import { describe, expect, test } from '@jest/globals';
import { withBound } from '../../../../../services/institution/deidentify/recognisers/age-bound.js';

const widened = (text: string, phi: string, type = 'AGE') => {
  const start = text.lastIndexOf(phi);
  const { start: from, end } = withBound({ type, start, end: start + phi.length }, text);
  return text.slice(from, end);
};

describe('what makes an age a bound, a guess or a range is of it', () => {
  test.each([
    ['men over 65 years', '65', 'over 65'],
    ['women under the age of 40.', '40', 'under the age of 40'],
    ['is at\nleast 65 years old', '65 years', 'at\nleast 65 years'],
    ['Older than 65', '65', 'Older than 65'],
    ['she is about 60', '60', 'about 60'],
    ['an over-65 clinic', '65', 'over-65'],
    ['older than age 65', '65', 'older than age 65'],
    ['in his mid-60', '60', 'mid-60'],
    ['aged > 65', '65', '> 65'],
    ['aged >=65', '65', '>=65'],
    ['∼60 y/o', '60 y/o', '∼60 y/o'],
    ['between 40 and', '40', 'between 40'],
    ['between 40 and 50 years', '50', 'between 40 and 50'],
    ['65 or older', '65', '65 or older'],
    ['65, or older', '65', '65, or older'],
    ['65 years and over', '65', '65 years and over'],
    ['65 years and over', '65 years', '65 years and over'],
    ['65+ clinic', '65', '65+'],
    ['60ish, well', '60', '60ish'],
    ['40 to 50 years', '40', '40 to 50 years'],
    ['40yo-50yo', '50yo', '40yo-50yo'],
    ['de 40 años a 50 años', '50 años', '40 años a 50 años'],
    ['mayores de 65 años', '65 años', 'mayores de 65 años'],
    ['menor o igual a 18', '18', 'menor o igual a 18'],
    ['con más de 65', '65', 'más de 65'],
    ['con ma\u0301s de 65', '65', 'ma\u0301s de 65'],
    ['de unos 60 años', '60 años', 'unos 60 años'],
    ['entre los 40 y los 50', '40', 'entre los 40'],
    ['entre 40 y 50 años', '50 años', 'entre 40 y 50 años'],
    ['a partir de 65', '65', 'a partir de 65'],
    ['65 años en adelante', '65 años', '65 años en adelante'],
    ['65 años o más', '65', '65 años o más'],
    ['men from age 18', '18', 'from age 18'],
    ['a man, c. 60,', '60', 'c. 60'],
    ['ca.60', '60', 'ca.60'],
    ['aprox. 60', '60', 'aprox. 60'],
    ['de aprox 60 años', '60 años', 'aprox 60 años'],
    ['60 (approx)', '60', '60 (approx)'],
    ['60 años, aprox.', '60 años', '60 años, aprox.'],
    ['superior o igual a 65', '65', 'superior o igual a 65'],
    ['sobre los 65', '65', 'sobre los 65'],
    ['desde los 65 años', '65 años', 'desde los 65 años'],
    ['65 & older', '65', '65 & older'],
    ['65&amp;over', '65', '65&amp;over'],
    ['aged > = 65', '65', '> = 65'],
    ['aged =>65', '65', '=>65'],
    ['aged &gt; 65', '65', '&gt; 65'],
    ['40/50 years', '40', '40/50 years'],
    ['40/50', '50', '40/50'],
    ['40/50 men', '40', '40/50'],
    ['40 or 50', '40', '40 or 50'],
    ['40 o 50 años', '50 años', '40 o 50 años'],
    ['is +/- 60', '60', '+/- 60'],
    ['60±5 years', '60', '60±5 years'],
    ['60 +/- 5', '60', '60 +/- 5'],
    ['60 (± 5)', '60', '60 (± 5)'],
    ['60 ± 5', '5', '60 ± 5'],
    ['a 60-something', '60', '60-something'],
    ['died before 65', '65', 'before 65'],
  ])('%j', (text, age, expected) => {
    expect(widened(text, age)).toBe(expected);
    expect(widened(text, age, 'EDAD_SUJETO_ASISTENCIA')).toBe(expected);
  });

  test.each([
    ['a 65-year-old man', '65-year-old'],
    ['moreover 65', '65'],
    ['65 yo - 3 days of fever', '65 yo'],
    ['65 - 120/80', '65'],
    ['65 and moreover', '65'],
    ['on 12/03-65 yo', '65 yo'],
    ['2 sons, 65 y 3 hijas', '65'],
    ['65 (approximate)', '65'],
    ['grade c 65', '65'],
    ['65/120/80', '65'],
    ['Age/Wt: 45 / 80 kg', '45'],
    ['45y/80kg', '45y'],
    ['45 - 98 %', '45'],
    ['45 años / 160 cm', '45 años'],
    ['65/80mmHg', '65'],
    ['BP 95/60', '60'],
    ['awesome 65', '65'],
    ['65 & overnight', '65'],
  ])('and nothing else: %s', (text, age) => {
    expect(widened(text, age)).toBe(age);
  });

  test('and not beside what is no age, or is not moved', () => {
    expect(widened('over 65', '65', 'ID')).toBe('65');
    expect(widened('about sixty', 'sixty')).toBe('sixty');
    expect(widened('over 40-50', '40-50')).toBe('40-50');
  });
});
