import { Plugin } from '@botpress/sdk'

export default new Plugin({
  actions: {
    async store({ input, actions, states, ctx, configuration }) {
      const { item } = await actions.keeper!.keep!({ item: input.item })
      await states.bot.stored!.set(ctx.botId, { ids: [item.id] })
      return { said: `${item.title} is on ${configuration.shelf}` }
    },
  },
})
