// Written by `npm run generate` from the files beside it.
import { media } from './cognitive/media.ts'
import { text } from './cognitive/text.ts'
import { compatible } from './openai/compatible.ts'
import { models } from './platform/models.ts'

export const handlers = {
  cognitive: {
    media,
    text,
  },
  openai: {
    compatible,
  },
  platform: {
    models,
  },
}
