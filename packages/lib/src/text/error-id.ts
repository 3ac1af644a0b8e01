import { randomBytes } from 'node:crypto'

/** Creates err_<yyyymmddhhmmss>x<8 hex>, the format that the official clients create themselves. */
export const errorId = (at: Date) =>
  `err_${at.toISOString().replaceAll(/\D/g, '').slice(0, 14)}x${randomBytes(4).toString('hex').toUpperCase()}`
