// The rival's bot: the adapter of botbuilder, without authentication. Run it in the folder of its
// packages.
'use strict'
const { createRequire } = require('node:module')
const installed = createRequire(`${process.cwd()}/`)
const express = installed('express')
const { BotFrameworkAdapter } = installed('botbuilder')

const adapter = new BotFrameworkAdapter({ appId: '', appPassword: '' })
const app = express()
app.use(express.json())
app.post('/api/messages', (request, reply) => {
  adapter.processActivity(request, reply, async (context) => {
    if (context.activity.type === 'message')
      await context.sendActivity(context.activity.text)
  })
})
const server = app.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ port: server.address().port })),
)
