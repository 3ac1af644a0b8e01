// The same bot as an HTTP server of its own, as its author runs it while developing.
import bot from './bot.ts'

// Not without the tests.
process.on('disconnect', () => process.exit())
// If the start fails, the process exits with code 1.
void bot.start(0).then((server) => process.send!((server.address() as { port: number }).port))
