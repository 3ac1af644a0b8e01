// Written by `npm run generate` from the files beside it.
import { invitations } from './platform/invitations.ts'
import { security } from './platform/security.ts'
import { signIn } from './platform/sign-in.ts'

export const handlers = {
  platform: {
    invitations,
    security,
    signIn,
  },
}
