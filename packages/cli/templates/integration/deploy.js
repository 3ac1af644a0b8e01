// Creates or updates the integration in the workspace; with a bot's id as argument, also installs it in
// the bot, with the configuration of the second argument. Build first: npm run deploy does both.
import { existsSync, readFileSync } from 'node:fs'
import { Client } from '@botpress/client'
import { definition } from './definition.js'

// Without the source of the client that threw it.
process.on('uncaughtException', ({ message }) => {
  console.error(message)
  process.exit(1)
})

const [botId, configuration = '{}'] = process.argv.slice(2)
const { url: apiUrl, token, workspaceId } = credentials()
const headers = { 'x-multiple-integrations': 'true' }
const client = new Client({ apiUrl, token, workspaceId, headers })

const { name, version } = definition
const code = readFileSync('dist/integration.cjs', 'utf8')
const { integrations } = await client.listIntegrations({ name, version })
const { integration } = integrations[0]
  ? await client.updateIntegration({ ...changes(), code, id: integrations[0].id })
  : await client.createIntegration({ ...definition, code })
console.log(`Deployed ${name} ${version} (${integration.id})`)

if (botId) {
  const installed = {
    integrationId: integration.id,
    enabled: true,
    configuration: JSON.parse(configuration),
  }
  const { bot } = await client.updateBot({
    id: botId,
    integrations: { [name]: installed },
  })
  console.log(
    `Webhook of ${botId}: ${apiUrl}/webhooks/${bot.integrations[name].webhookId}`,
  )
}

/** A version keeps its name and number. */
function changes() {
  const { name: _name, version: _version, ...rest } = definition
  return rest
}

/** Returns the server and the token of BP_TOKEN and the other variables, or of the data folder. */
function credentials() {
  const { BP_API_URL: url, BP_TOKEN: token, BP_WORKSPACE_ID: workspaceId } = process.env
  if (url && token && workspaceId) return { url, token, workspaceId }
  const file = `${process.env.BOTSTEAD_DATA ?? 'data'}/credentials.json`
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  console.error(
    `${file} does not exist: set BOTSTEAD_DATA to the server's data folder, ` +
      'or BP_API_URL, BP_TOKEN and BP_WORKSPACE_ID',
  )
  process.exit(1)
}
