import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const signIn = { name: 'sign-in', handlers } satisfies Feature
export { openOpenId } from './open-id.ts'
export { proveAddress } from './proofs.ts'
export { type SignInServices, signInBindings } from './services.ts'
export { createSignInLink, longMinutes, shortMinutes, toSignInUrl } from './sign-in-links.ts'
export { tables } from './table-rules.ts'
