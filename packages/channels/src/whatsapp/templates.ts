// Templates: the messages that reach people who have not written within 24 hours
// (https://developers.facebook.com/docs/whatsapp/business-management-api/message-templates).
import { type Action, ChannelError, type Context } from '../channel.ts'
import { call, toPath } from './api.ts'
import {
  fillIn,
  readButtons,
  readHeader,
  readVariables,
  type TemplateMessage,
  toTemplatePart,
  writeHeader,
} from './template-components.ts'
import { toUserPhone } from './updates.ts'

interface TemplateRequest {
  userPhone: string
  templateName: string
  templateLanguage?: string
  templateVariablesJson?: string
  templateHeaderJson?: string
  templateButtonsJson?: string
  botPhoneNumberId?: string
}

/** Sends a template, and stores what the person sees. */
export const sendTemplate: Action = async (context, input) => {
  const request = input.conversation as TemplateRequest
  const userPhone = toUserPhone(request.userPhone)
  if (!/^\+[1-9]\d{6,14}$/.test(userPhone))
    throw new ChannelError(
      'rejected',
      `"${request.userPhone}" is no phone number with its country code, such as +40712345678`,
    )
  const phoneId = request.botPhoneNumberId || findDefaultPhoneId(context)
  const message = readRequest(request)
  const part = await toTemplatePart(context, phoneId, message)
  const conversationId = await context.host.openConversation({
    channel: 'channel',
    tags: { botPhoneNumberId: phoneId, userPhone },
    by: ['botPhoneNumberId', 'userPhone'],
  })
  const body = { messaging_product: 'whatsapp', to: userPhone.slice(1), ...part }
  const answer = await call(context, toPath(phoneId, 'messages'), { body })
  const text = await writeTemplate(context, message)
  const id = String((answer.messages as { id?: string }[] | undefined)?.[0]?.id ?? '')
  await context.host.storeSent(conversationId, {
    type: 'text',
    payload: { text },
    tags: { id },
  })
  return { conversationId }
}

/** Throws ChannelError ("rejected"). */
const readRequest = (request: TemplateRequest): TemplateMessage => ({
  name: request.templateName,
  language: request.templateLanguage ?? 'en',
  header: readHeader(parse(request, 'templateHeaderJson'), 'templateHeaderJson'),
  body: readVariables(parse(request, 'templateVariablesJson'), 'templateVariablesJson'),
  buttons: readButtons(parse(request, 'templateButtonsJson'), 'templateButtonsJson'),
})

/** Returns null if the text is not JSON; no reader accepts null. */
function parse(request: TemplateRequest, field: keyof TemplateRequest): unknown {
  const json = request[field]
  if (!json?.trim()) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/**
 * Reads the field `whatsappTemplate` of a text message, which then goes out as the template: also to people
 * who have not written within 24 hours, as those of broadcasts. Throws ChannelError ("rejected").
 */
export function readTemplate(value: unknown): TemplateMessage {
  const field = 'whatsappTemplate'
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >
  const { name, language = 'en', header, body, buttons } = given
  const unknown = Object.keys(given).find((key) => !templateFields.includes(key))
  if (typeof name !== 'string' || name === '' || typeof language !== 'string' || unknown)
    throw new ChannelError(
      'rejected',
      `\`${field}\` needs a \`name\`, and may have a \`language\`, \`header\`, \`body\` and \`buttons\`` +
        (unknown ? `, but no "${unknown}"` : ''),
    )
  return {
    name,
    language,
    header: readHeader(header, `${field}.header`),
    body: readVariables(body, `${field}.body`),
    buttons: readButtons(buttons, `${field}.buttons`),
  }
}

const templateFields = ['name', 'language', 'header', 'body', 'buttons']

export const findDefaultPhoneId = ({ configuration }: Pick<Context, 'configuration'>) =>
  String(configuration.defaultBotPhoneNumberId).trim()

interface Template {
  name: string
  language: string
  components?: { type: string; text?: string; buttons?: { text?: string }[] }[]
}

/** Returns the text that the person sees; the template's name where the account is not configured. */
async function writeTemplate(
  context: Context,
  { name, language, header, body }: TemplateMessage,
): Promise<string> {
  const otherwise = `[template ${name}, ${language}]`
  if (!context.configuration.businessAccountId) return otherwise
  // The template has been sent: whatever fails now must not let the caller send it again.
  const { data } = await listTemplatePage(context, { name }).catch(() => ({ data: [] }))
  const found = (data as Template[]).find(
    (one) => one.name === name && one.language === language,
  )
  const texts = found?.components?.map(({ type, text = '', buttons = [] }) => {
    const filled = fillIn(text, type === 'HEADER' ? (header.text ?? []) : body)
    return [filled, ...buttons.map((button) => `[${button.text}]`)]
      .filter(Boolean)
      .join('\n')
  })
  return texts ? [writeHeader(header), ...texts].filter(Boolean).join('\n') : otherwise
}

function listTemplatePage(context: Context, query: Record<string, string>) {
  const account = String(context.configuration.businessAccountId ?? '').trim()
  if (!account)
    throw new ChannelError(
      'rejected',
      'Templates are listed by account: set the WhatsApp Business account ID in the configuration.',
    )
  const fields =
    'id,name,status,category,language,components,quality_score,rejected_reason'
  return call(context, toPath(account, 'message_templates'), {
    query: { fields, ...query },
  })
}

interface Listed {
  quality_score?: { score?: string }
}

export const listTemplates: Action = async (
  context,
  { status, name, limit, nextCursor },
) => {
  const { data, paging } = await listTemplatePage(context, {
    limit: String(limit ?? 20),
    ...(status ? { status: String(status) } : {}),
    ...(name ? { name: String(name) } : {}),
    ...(nextCursor ? { after: String(nextCursor) } : {}),
  })
  const { cursors, next } = (paging ?? {}) as {
    cursors?: { after?: string }
    next?: string
  }
  const templates = ((data ?? []) as Listed[]).map(
    ({ quality_score: quality, ...template }) => ({
      ...template,
      ...(quality?.score && { quality: quality.score }),
    }),
  )
  return { templates, ...(next && cursors?.after && { nextCursor: cursors.after }) }
}
