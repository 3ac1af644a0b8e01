// Written by `npm run generate` from the files beside it.
import { personalData } from './platform/personal-data.ts'
import { redaction } from './platform/redaction.ts'
import { retention } from './platform/retention.ts'

export const handlers = {
  platform: {
    personalData,
    redaction,
    retention,
  },
}
