// The server of `npm run dev`, in a process that dev.js replaces after each change. Loads the code first, so
// that code which does not load leaves the previous server running.
// Bundles have no types.
const bundle = '../../packages/cli/dist/bundle'
const { report } = await import(`${bundle}/failure.js`)
const { start } = await import(`${bundle}/start.js`)

let documentation

/** To the process with the hosted bots, through dev.js. */
const sandboxChannel = {
  send: (message) => process.connected && process.send({ sandbox: message }),
  onMessage: (receive) =>
    process.on('message', ({ sandbox }) => {
      if (sandbox) receive(sandbox)
    }),
}

process.on('message', (/** @type {{ documentation?: object, go?: Going }} */ message) => {
  if (message.documentation) documentation = message.documentation
  if (message.go) void run(message.go)
})
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.send('loaded', (error) => error && process.exit())

/** @typedef {{ viteUrl: string, isFirst: boolean }} Going */

/** @param {Going} options */
async function run({ viteUrl, isFirst }) {
  await start({
    isForPeople: true,
    pages: { dashboard: { viteUrl }, findDocumentationBuild: () => documentation },
    sandboxChannel,
    async onRunning(greet) {
      if (isFirst) await greet()
      process.send('running')
    },
  }).catch((error) => {
    report(error)
    process.exit()
  })
}
