// Written by `npm run generate` from the files beside it.
import { persons } from './platform/persons.ts'

export const handlers = {
  platform: {
    persons,
  },
}
