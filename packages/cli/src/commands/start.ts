// `botstead start`: brings the server up, says where to talk, and stays until it is told to stop.

import { relative } from 'node:path'
import { ConfigError, readConfig, StartError, startServer } from '@botstead/server'
import { Failure } from '../failure.ts'

type Server = Awaited<ReturnType<typeof startServer>>

export async function start(): Promise<void> {
  const stopping = untilToldToStop()
  const progress = openProgress()
  try {
    const config = readConfig(process.env)
    const server = await startServer(config, { onProgress: progress.say })
    progress.end()
    console.log(greeting(server, config.dataFolder))
    await stopping
    console.log('Stopping …')
    await server.close()
  } catch (error) {
    progress.end()
    if (error instanceof ConfigError || error instanceof StartError) throw new Failure(error.message)
    throw error
  }
  process.exit(0)
}

/** The first signal asks for a graceful end, the second ends at once. */
function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    const hear = () => {
      if (asked) process.exit(1)
      asked = true
      resolve()
    }
    process.on('SIGINT', hear)
    process.on('SIGTERM', hear)
  })
}

/** A step is named when it takes long enough to wonder. */
function openProgress() {
  let timer: NodeJS.Timeout | undefined
  const end = () => clearTimeout(timer)
  return {
    end,
    say(text: string) {
      end()
      timer = setTimeout(() => console.log(`${text} …`), 300)
    },
  }
}

function greeting({ url, credentials, firstStart }: Server, dataFolder: string): string {
  const kept = `${relative(process.cwd(), dataFolder) || '.'}/credentials.json`
  const lines = ['', '  Botstead is running.', '', `  Talk to the bot    ${url}/`]
  if (credentials) lines.push(`  in the terminal    npx botstead chat`, `  by its Chat API    ${credentials.chatUrl}`)
  lines.push('')
  if (credentials && firstStart) lines.push(`  Your token         ${credentials.token}`, `                     shown this once, and kept in ${kept}`)
  else if (credentials) lines.push(`  Your token         in ${kept}`)
  return [...lines, '', '  Ctrl+C stops it.', ''].join('\n')
}
