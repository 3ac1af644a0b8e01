import { texts } from '../../texts/texts.ts'

interface Named {
  id?: string | undefined
  name?: string | undefined
  fid?: string | undefined
}

/** The end of the id, which differs most. */
const endOfId = (id: string): string => id.slice(-6).toUpperCase()

/** Returns the name of a user; without one, the id that the chat client chose, or the end of the id. */
export const nameOfUser = ({ id, name, fid }: Named = {}): string =>
  name || fid || (id ? texts.users.visitor(endOfId(id)) : texts.users.unnamed)
