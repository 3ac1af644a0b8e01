import { Integration, RuntimeError } from '@botpress/sdk'

const integration = new Integration({
  async register({ ctx }) {
    if (ctx.configuration.room === 'none') throw new RuntimeError('There is no such room')
  },
  async unregister() {},
  actions: {
    keepPaper: async ({ input }) => ({
      item: { ...input.item, title: `${input.item.title} (${process.env.SECRET_KEY})` },
    }),
  },
  channels: {},
  async handler() {},
})
export default integration
export const handler = integration.handler
