/** Kinds of places that a town's name is put before, all of them made up that way. */
export const HOSPITAL_KINDS = [
  'General Hospital',
  'Memorial Hospital',
  'Community Hospital',
  'Medical Center',
  'District Hospital',
  'Rehabilitation Center',
  'Nursing Home',
  'Hospice',
  'Surgical Center',
  'Cottage Hospital',
  'Family Practice',
  'Health Clinic',
];

export const SAINTS = ['Brannoc', 'Ebba', 'Corentin', 'Wulfhild', 'Adelard', 'Finbarra', 'Ysolde'];

export const EMPLOYER_KINDS = [
  'Foods',
  'Logistics',
  'Steel',
  'Elementary School',
  'Primary School',
  'Airlines',
  'Motors',
  'Timber',
  'City Council',
  'Water Board',
  'University',
  'Shipyard',
  'Bakery',
  'Savings Bank',
  'Textiles',
  'Police Department',
];
