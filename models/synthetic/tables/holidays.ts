export const HOLIDAYS = [
  'Christmas',
  'Easter',
  'Thanksgiving',
  'New Year',
  'Labor Day',
  'Halloween',
  'Boxing Day',
  'Memorial Day',
  'Diwali',
  'Hanukkah',
];
