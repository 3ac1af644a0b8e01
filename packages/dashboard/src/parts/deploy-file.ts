// Deploys a file that the user chose: a flow bot's document, or a bundle of code.
import type { Client } from '@botstead/client'

export async function deployFile(client: Client, botId: string, file: File): Promise<void> {
  const text = await file.text()
  const params = { id: botId }
  if (file.name.endsWith('.json'))
    await client.admin.publishFromBotJson({ params, body: { botJson: JSON.parse(text) } })
  else await client.admin.updateBot({ params, body: { code: text } })
}
