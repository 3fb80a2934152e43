import type { LabelScheme } from '../../../../models/text/label-scheme.js';

/** What schemes call what a recogniser finds, the closest first. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  EMAIL_ADDRESS: ['EMAIL_ADDRESS', 'EMAIL', 'CORREO_ELECTRONICO', 'CONTACT'],
  URL: ['URL', 'URL_WEB', 'DOMAIN_NAME', 'CONTACT'],
  IP_ADDRESS: ['IP_ADDRESS', 'IPADDR', 'IPADDRESS', 'DIREC_PROT_INTERNET', 'CONTACT'],
  MAC_ADDRESS: [
    ...['MAC_ADDRESS', 'DEVICE', 'IDENTIF_DISPOSITIVOS_NRSERIE', 'IDNUM', 'OTHER_ID', 'ID', 'CODE'],
  ],
  PHONE_NUMBER: ['PHONE_NUMBER', 'PHONE', 'NUMERO_TELEFONO', 'CONTACT'],
  CREDIT_CARD: ['CREDIT_CARD', 'ACCOUNT', 'OTRO_NUMERO_IDENTIF', 'IDNUM', 'ID', 'CODE'],
  IBAN_CODE: ['IBAN_CODE', 'ACCOUNT', 'OTRO_NUMERO_IDENTIF', 'IDNUM', 'ID', 'CODE'],
  CRYPTO: ['CRYPTO', 'ACCOUNT', 'OTRO_NUMERO_IDENTIF', 'IDNUM', 'ID', 'CODE'],
  US_SSN: ['US_SSN', 'SSN', 'IDNUM', 'ID', 'CODE'],
  US_MBI: ['US_MBI', 'HEALTHPLAN', 'HEALTH_PLAN', 'ID_ASEGURAMIENTO', 'IDNUM', 'ID', 'CODE'],
  US_DRIVER_LICENSE: ['US_DRIVER_LICENSE', 'LICENSE', 'IDNUM', 'ID', 'CODE'],
  US_PASSPORT: ['US_PASSPORT', 'IDENTITY_DOCUMENT', 'IDNUM', 'OTHER_ID', 'ID', 'CODE'],
  US_BANK_NUMBER: ['US_BANK_NUMBER', 'ACCOUNT', 'OTRO_NUMERO_IDENTIF', 'IDNUM', 'ID', 'CODE'],
  DATE_TIME: ['DATE_TIME', 'DATETIME', 'DATE', 'FECHAS'],
  ES_NIF: ['ES_NIF', 'ID_SUJETO_ASISTENCIA', 'IDNUM', 'OTHER_ID', 'ID', 'CODE'],
  ES_NIE: ['ES_NIE', 'ID_SUJETO_ASISTENCIA', 'IDNUM', 'OTHER_ID', 'ID', 'CODE'],
  UK_NHS: ['UK_NHS', 'MEDICALRECORD', 'MEDICAL_RECORD', 'IDNUM', 'ID', 'CODE'],
  UK_NINO: ['UK_NINO', 'SSN', 'IDNUM', 'OTHER_ID', 'ID', 'CODE'],
  UK_DRIVING_LICENCE: ['UK_DRIVING_LICENCE', 'LICENSE', 'IDNUM', 'ID', 'CODE'],
  MEDICAL_RECORD_NUMBER: [
    ...['MEDICAL_RECORD_NUMBER', 'MEDICALRECORD', 'MEDICAL_RECORD', 'ID_SUJETO_ASISTENCIA'],
    ...['IDNUM', 'ID', 'CODE'],
  ],
  ENCOUNTER_NUMBER: [
    ...['ENCOUNTER_NUMBER', 'ID_CONTACTO_ASISTENCIAL', 'IDNUM', 'OTHER_ID', 'ID', 'CODE'],
  ],
  HEALTH_PLAN_NUMBER: [
    ...[
      'HEALTH_PLAN_NUMBER',
      'HEALTHPLAN',
      'HEALTH_PLAN',
      'ID_ASEGURAMIENTO',
      'IDNUM',
      'ID',
      'CODE',
    ],
  ],
  MEDICAL_LICENSE: [
    ...['MEDICAL_LICENSE', 'ID_TITULACION_PERSONAL_SANITARIO', 'LICENSE', 'IDNUM', 'ID', 'CODE'],
  ],
  IDENTITY_DOCUMENT: [
    ...['IDENTITY_DOCUMENT', 'ID_SUJETO_ASISTENCIA', 'IDNUM', 'OTHER_ID', 'ID', 'CODE'],
  ],
  REFERENCE_NUMBER: ['REFERENCE_NUMBER', 'OTRO_NUMERO_IDENTIF', 'IDNUM', 'OTHER_ID', 'ID', 'CODE'],
};

/** Whether a scheme may call what a recogniser finds by this broader name. */
export function isBroader(type: string, finding: string): boolean {
  return type !== finding && (NAMES[finding]?.includes(type) ?? false);
}

/** The scheme's type for what a recogniser finds; the recogniser's own where the scheme has none. */
export function typeInScheme(type: string, { types }: Pick<LabelScheme, 'types'>): string {
  const known = [...(NAMES[type] ?? []), 'PHI'].find((name) => types.includes(name));
  return known ?? type;
}
