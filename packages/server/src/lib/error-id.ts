import { randomBytes } from 'node:crypto'

/** err_<yyyymmddhhmmss>x<8 hex>: the form that the official clients make themselves. */
export const errorId = (at: Date) =>
  `err_${at.toISOString().replaceAll(/\D/g, '').slice(0, 14)}x${randomBytes(4).toString('hex').toUpperCase()}`
