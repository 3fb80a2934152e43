import { pool } from '../grammar.js';

/** Calls, letters and people to reach. */
export const CONTACT = pool(
  'Called {kin.full} at {kin.phone} [on {during}|at {time}]; [left a message|{kin.he} will attend].',
  'Emergency contact: {kin.full} ({kin}), {kin.phone}.',
  '{Name} prefers [to be called at {phone}|e-mail: {email}].',
  'Spoke with {colleague} from {clinic} ({clinic.phone}) regarding {lab}.',
  'Copy of this note sent to {gp}, {clinic}, fax {fax}.',
  '[Insurance|Plan] number {account} [verified on {during}|to be updated].',
  '{Kin.mr} left word with {nurse} that {kin.he} [may|will] visit on {weekday}.',
  'Correspondence to {street}, {city}, {state} {zip}.',
  '{Attending} can be paged at {pager} or written to at {attending.email}.',
  'Patient portal message answered by {username} on {during}.',
);
