// The rival's server: the offline Direct Line connector, which keeps all data in memory. Run it in
// the folder of its packages.
'use strict'
const { createRequire } = require('node:module')
const installed = createRequire(`${process.cwd()}/`)
const express = installed('express')
const { getRouter } = installed('offline-directline')

const app = express()
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  app.use(getRouter(`http://127.0.0.1:${port}`, process.env.BOT_URL))
  console.log(JSON.stringify({ port }))
})
