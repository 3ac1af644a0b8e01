// Written by `npm run generate` from the files beside it.
import { archives } from './platform/archives.ts'
import { backups } from './platform/backups.ts'

export const handlers = {
  platform: {
    archives,
    backups,
  },
}
