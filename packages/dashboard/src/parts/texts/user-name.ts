import { texts } from '../../texts/texts.ts'

interface Named {
  name?: string | undefined
  fid?: string | undefined
}

/** Returns the name of a user; without one, the id that the chat client chose. */
export const nameOfUser = ({ name, fid }: Named = {}): string => name ?? fid ?? texts.users.unnamed
