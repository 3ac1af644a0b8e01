// `botstead conversations watch` and `export`.
import type { Client } from '@botstead/client'
import type { ChangeNote } from '@botstead/contract'
import { CliError } from '../failure.ts'
import type { Context } from '../server/context.ts'
import { listen } from '../server/listener.ts'
import { retry } from '../server/server-client.ts'
import { writeBody } from '../server/streamed-file.ts'
import { toSummary } from '../terminal/message-summary.ts'
import { toPrintable } from '../terminal/printable.ts'
import { formatTime, print, toJson } from '../terminal/printing.ts'

/** Prints the last page, then new messages: those that the live stream announces. */
export async function watch(
  { client, botId, options }: Context,
  id: string,
): Promise<void> {
  const printNew = messagePrinter(client, id, options.json)
  await printNew()
  let close = () => {}
  await new Promise<never>((_, reject) => {
    const wake = oneAtATime(printNew, reject)
    const query = { botId, topics: ['messages' as const, 'conversations' as const] }
    listen<ChangeNote>({
      open: (call) => client.platform.listenToWorkspace({ query }, call),
      // Also after `ready` and `reset`, which name no conversation.
      onSignal: ({ conversationId = id }) => void (conversationId === id && wake()),
      onState: (state) =>
        state === 'ended' &&
        reject(new CliError('the token may not read this bot any more')),
    }).then((listener) => {
      close = listener.close
    }, reject)
  }).finally(() => close())
}

/** Returns a function that starts the work; calls during a run share the next one. */
function oneAtATime(work: () => Promise<void>, failed: (error: unknown) => void) {
  let running = Promise.resolve()
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    running = running.then(() => {
      isDue = false
      return work()
    })
    running.catch(failed)
  }
}

function messagePrinter(client: Client, id: string, json: boolean | undefined) {
  let nextToken: string | undefined
  return async () => {
    for (;;) {
      const request = { params: { id }, query: { nextToken } }
      const page = await retry(5, () =>
        client.platform.getConversationTranscript(request),
      )
      for (const one of page.messages)
        print(json ? toJson(one) : toPrintable(toLine(one)))
      nextToken = page.meta.newer ?? nextToken
      if (page.messages.length === 0 || !page.meta.newer) return
    }
  }
}

type Transcript = Awaited<ReturnType<Client['platform']['getConversationTranscript']>>

function toLine({ message, author }: Transcript['messages'][number]): string {
  const name = author.isBot ? 'bot' : (author.name ?? author.id)
  return `${formatTime(message.createdAt)}  ${name}: ${toSummary(message)}`
}

export async function exportOne(
  { client, options }: Context<{ format?: 'json' | 'text'; output?: string }>,
  id: string,
): Promise<void> {
  const { format = 'json', output } = options
  const response = await client.platform.exportConversation(
    { params: { id }, query: { format } },
    { signal: new AbortController().signal },
  )
  await writeBody(response, output)
}
