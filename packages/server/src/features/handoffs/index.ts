import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'

export const handoffs: Feature = { name: 'handoffs', handlers }
