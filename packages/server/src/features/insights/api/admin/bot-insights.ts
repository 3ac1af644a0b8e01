import { ApiError, type admin, type Handlers, isDay } from '@botstead/contract'
import { botLogs, botStore, toBotLog } from '../../../../core/bots/index.ts'
import {
  type Contexts,
  getOrigin,
  parsePage,
  timePosition,
  toDate,
} from '../../../../core/http/index.ts'
import { webchatCode } from '../../../../core/messaging/index.ts'
import { listBotDays } from '../../bot-analytics.ts'

/** Default page size: log lines are short. */
const defaultPageSize = 100

export const botInsights: Handlers<(typeof admin)['botInsights'], Contexts> = {
  async getBotLogs({ services, caller }, { params, query }) {
    const {
      timeStart,
      timeEnd,
      nextToken: _token,
      pageSize: _size,
      messageContains: contains,
      ...filters
    } = query
    const bot = await botStore.find(services.db, caller.workspaceId, params.id)
    const page = parsePage(
      services,
      [
        'admin.getBotLogs',
        bot.id,
        JSON.stringify([timeStart, timeEnd, contains, Object.entries(filters).sort()]),
      ],
      {
        pageSize: defaultPageSize,
        ...query,
      },
    )
    const { rows, next } = await botLogs.list(services.db, bot.id, {
      ...filters,
      contains,
      from: toDate(timeStart),
      until: toDate(timeEnd),
      position: timePosition(page.position),
      limit: page.limit,
    })
    return {
      logs: rows.map(toBotLog),
      ...(next && { nextToken: page.token([next.at.toISOString(), next.id]) }),
    }
  },

  async getBotAnalytics({ services, caller }, { params, query }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.id)
    // An end date without a time includes the whole day.
    const until =
      toDate(query.endDate).getTime() + (isDay(query.endDate) ? 86_400_000 : 0)
    return {
      records: await listBotDays(
        services.db,
        bot,
        toDate(query.startDate),
        new Date(until),
      ),
    }
  },

  async getBotWebchat(context, { params, query }) {
    const { services, caller } = context
    const bot = await botStore.find(services.db, caller.workspaceId, params.id)
    const clientId = await services.callers.chatId(bot.id)
    if (!clientId)
      throw new ApiError(
        'ResourceNotFound',
        'This bot has no chat: install the integration "webchat" or "chat"',
      )
    return {
      code: webchatCode(query.type, {
        origin: getOrigin(context),
        botId: bot.id,
        clientId,
        botName: bot.name,
      }),
    }
  },
}
