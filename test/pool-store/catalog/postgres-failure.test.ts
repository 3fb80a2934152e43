import { expect, test } from '@jest/globals';
import { DatabaseError } from 'pg';
import { failureOf } from '../../../pool-store/catalog/postgres-failure.js';

test.each(['40001', '40P01', '55P03', '57014'])(
  'a transaction that PostgreSQL ended with %s can be tried again',
  (code) => {
    const ended = Object.assign(new DatabaseError('refused', 7, 'error'), { code });
    expect(failureOf(ended)).toEqual(expect.objectContaining({ code: 'catalog-unreachable' }));
  },
);
