import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../http/services.ts'
import { findExample, listExamples } from '../../modules/bots/examples.ts'

export const examples: Handlers<typeof platform.examples, Contexts> = {
  async listExamples() {
    return { examples: await listExamples() }
  },

  async getExample(_context, { params }) {
    return { example: await findExample(params.example) }
  },
}
