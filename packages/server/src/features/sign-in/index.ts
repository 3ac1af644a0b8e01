import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const signIn: Feature = { name: 'sign-in', handlers }
