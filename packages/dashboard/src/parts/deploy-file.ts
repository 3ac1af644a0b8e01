// Deploys a file that the user chose: a flow bot's document, or a bundle of code.
import type { Client } from '@botstead/client'

interface BotDocument {
  knowledgeBases?: Record<string, { name?: string }>
}

/** Also creates the knowledge bases that a document names, without files. */
export async function deployFile(client: Client, botId: string, file: File): Promise<void> {
  const text = await file.text()
  const params = { id: botId }
  if (!file.name.endsWith('.json'))
    return void (await client.admin.updateBot({ params, body: { code: text } }))
  const botJson: BotDocument & Record<string, unknown> = JSON.parse(text)
  await createKnowledgeBases(client, botId, botJson)
  await client.admin.publishFromBotJson({ params, body: { botJson } })
}

async function createKnowledgeBases(
  client: Client,
  botId: string,
  { knowledgeBases = {} }: BotDocument,
) {
  const missing = new Set(Object.entries(knowledgeBases).map(([key, { name = key }]) => name))
  const options = { headers: { 'x-bot-id': botId } }
  let nextToken: string | undefined
  do {
    if (missing.size === 0) return
    const query = nextToken ? { nextToken } : {}
    const page = await client.files.listKnowledgeBases({ query }, options)
    for (const { name } of page.knowledgeBases) missing.delete(name)
    nextToken = page.meta.nextToken
  } while (nextToken)
  for (const name of missing) await client.files.createKnowledgeBase({ body: { name } }, options)
}
