import * as bp from '.botpress'
import { RuntimeError } from '@botpress/sdk'

export default new bp.Integration({
  async register({ ctx }) {
    if (ctx.configuration.edition === 'none')
      throw new RuntimeError('There is no such edition')
  },
  async unregister() {},
  actions: {
    lookUp: async ({ ctx, input }) => ({
      text: `${input.word}: ${ctx.configuration.edition}, ${process.env.SECRET_PUBLISHER}`,
    }),
    // Under the name that the interface's template gives it.
    keep: async ({ input }) => ({ item: input.item }),
  },
  channels: {},
  async handler() {},
})
