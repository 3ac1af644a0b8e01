// Templates: the messages that reach people who have not written within 24 hours
// (https://developers.facebook.com/docs/whatsapp/business-management-api/message-templates).
import { type Action, ChannelError, type Context } from '../channel.ts'
import { call, toPath } from './api.ts'
import { toUserPhone } from './updates.ts'

interface TemplateRequest {
  userPhone: string
  templateName: string
  templateLanguage?: string
  templateVariablesJson?: string
  botPhoneNumberId?: string
}

type Variables = (string | number)[] | Record<string, string | number>

/** Sends a template, and stores what the person sees. */
export const sendTemplate: Action = async (context, input) => {
  const request = input.conversation as TemplateRequest
  const { templateName, templateLanguage: language = 'en' } = request
  const userPhone = toUserPhone(request.userPhone)
  if (!/^\+[1-9]\d{6,14}$/.test(userPhone))
    throw new ChannelError(
      'rejected',
      `"${request.userPhone}" is no phone number with its country code, such as +40712345678`,
    )
  const phoneId = request.botPhoneNumberId || findDefaultPhoneId(context)
  const variables = readVariables(request.templateVariablesJson)
  const conversationId = await context.host.openConversation({
    channel: 'channel',
    tags: { botPhoneNumberId: phoneId, userPhone },
    by: ['botPhoneNumberId', 'userPhone'],
  })
  const template = { name: templateName, language: { code: language }, ...toComponents(variables) }
  const body = { messaging_product: 'whatsapp', to: userPhone.slice(1), type: 'template', template }
  const answer = await call(context, toPath(phoneId, 'messages'), { body })
  const text = await writeTemplate(context, templateName, language, variables)
  const id = String((answer.messages as { id?: string }[] | undefined)?.[0]?.id ?? '')
  await context.host.storeSent(conversationId, { type: 'text', payload: { text }, tags: { id } })
  return { conversationId }
}

export const findDefaultPhoneId = ({ configuration }: Pick<Context, 'configuration'>) =>
  String(configuration.defaultBotPhoneNumberId).trim()

/** Throws ChannelError ("rejected"). */
function readVariables(json: string | undefined): Variables {
  if (!json?.trim()) return []
  const isPlain = (value: unknown) => ['string', 'number'].includes(typeof value)
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && Object.values(value).every(isPlain))
      return value as Variables
  } catch {
    // Reported below.
  }
  throw new ChannelError(
    'rejected',
    '`templateVariablesJson` is no JSON array of texts and numbers, such as ["Ana", 3], and no ' +
      'object of them',
  )
}

function toComponents(variables: Variables) {
  const isNamed = !Array.isArray(variables)
  const parameters = Object.entries(variables).map(([name, value]) => ({
    type: 'text',
    ...(isNamed && { parameter_name: name }),
    text: String(value),
  }))
  return parameters.length > 0 ? { components: [{ type: 'body', parameters }] } : {}
}

interface Template {
  name: string
  language: string
  components?: { type: string; text?: string; buttons?: { text?: string }[] }[]
}

/** Returns the text that the person sees; the template's name where the account is not configured. */
async function writeTemplate(
  context: Context,
  name: string,
  language: string,
  variables: Variables,
): Promise<string> {
  const otherwise = `[template ${name}, ${language}]`
  if (!context.configuration.businessAccountId) return otherwise
  // The template has been sent: whatever fails now must not let the caller send it again.
  const { data } = await listTemplatePage(context, { name }).catch(() => ({ data: [] }))
  const found = (data as Template[]).find((one) => one.name === name && one.language === language)
  const texts = found?.components?.map(({ text, buttons = [] }) =>
    [text, ...buttons.map((button) => `[${button.text}]`)].filter(Boolean).join('\n'),
  )
  return texts ? fillIn(texts.join('\n'), variables) : otherwise
}

/** Positions count from 1. */
const fillIn = (text: string, variables: Variables) =>
  text.replace(/\{\{(\w{1,100})\}\}/g, (whole, name: string) => {
    const key = Array.isArray(variables) ? String(Number(name) - 1) : name
    return Object.hasOwn(variables, key) ? String(variables[key as never]) : whole
  })

function listTemplatePage(context: Context, query: Record<string, string>) {
  const account = String(context.configuration.businessAccountId ?? '').trim()
  if (!account)
    throw new ChannelError(
      'rejected',
      'Templates are listed by account: set the WhatsApp Business account ID in the configuration.',
    )
  const fields = 'id,name,status,category,language,components,quality_score'
  return call(context, toPath(account, 'message_templates'), { query: { fields, ...query } })
}

export const listTemplates: Action = async (context, { status, name, limit, nextCursor }) => {
  const { data, paging } = await listTemplatePage(context, {
    limit: String(limit ?? 20),
    ...(status ? { status: String(status) } : {}),
    ...(name ? { name: String(name) } : {}),
    ...(nextCursor ? { after: String(nextCursor) } : {}),
  })
  const { cursors, next } = (paging ?? {}) as { cursors?: { after?: string }; next?: string }
  return { templates: data ?? [], ...(next && cursors?.after && { nextCursor: cursors.after }) }
}
