// Written by `npm run generate` from the files beside it.
import { botVersions } from './admin/bot-versions.ts'
import { documents } from './platform/documents.ts'
import { examples } from './platform/examples.ts'
import { versions } from './platform/versions.ts'

export const handlers = {
  admin: {
    botVersions,
  },
  platform: {
    documents,
    examples,
    versions,
  },
}
