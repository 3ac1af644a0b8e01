// Written by `npm run generate` from the files beside it.
import { files } from './files/files.ts'

export const handlers = {
  files: {
    files,
  },
}
