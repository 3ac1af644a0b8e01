import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const signIn: Feature = { name: 'sign-in', handlers }
export { openOpenId } from './open-id.ts'
export { proveAddress } from './proofs.ts'
export type { SignInServices } from './services.ts'
export { createSignInLink, longMinutes, shortMinutes, toSignInUrl } from './sign-in-links.ts'
export { tables } from './table-rules.ts'
