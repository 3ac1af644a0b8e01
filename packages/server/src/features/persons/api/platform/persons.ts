import type { Handlers, platform } from '@botstead/contract'
import type { Caller } from '../../../../core/http/index.ts'
import {
  type Contexts,
  operated,
  operatorPage,
  type Services,
} from '../../../../core/http/index.ts'
import type { QueueServices } from '../../../../core/queue/index.ts'
import { requireAddress } from '../../addresses.ts'
import { noteAddresses } from '../../automatic.ts'
import { type MergedBy, mergeUsers, separateUsers, splitUser } from '../../merging.ts'
import { findPersonUsers, listSuggestions } from '../../person-details.ts'
import { findPersonRules, storePersonRules } from '../../person-rules.ts'

type Own = QueueServices

const maxSuggestions = 20

export const persons: Handlers<typeof platform.persons, Contexts<Own>> = {
  async getPerson({ services, caller }, { params }) {
    const botId = operated(caller)
    const listing = { userId: params.id, position: null, limit: maxSuggestions }
    const [{ person }, { suggestions }] = await Promise.all([
      readPerson(services, caller, params.id),
      listSuggestions(services.database.finds, botId, listing),
    ])
    return { person, suggestions }
  },

  async mergeUsers({ services, caller }, { params, body }) {
    const botId = operated(caller)
    await services.inTransaction((inside) =>
      mergeUsers(
        inside,
        botId,
        [...new Set([params.id, ...body.userIds])],
        toMerger(caller),
      ),
    )
    return readPerson(services, caller, params.id)
  },

  async splitUser({ services, caller }, { params }) {
    const botId = operated(caller)
    await services.inTransaction(({ db }) => splitUser(db, botId, params.id))
    return readPerson(services, caller, params.id)
  },

  async verifyUserAddress({ services, caller }, { params, body: { kind, address } }) {
    const botId = operated(caller)
    const proven = requireAddress(kind, address)
    await findPersonUsers(services.db, botId, params.id)
    return services.inTransaction(async (inside) => {
      await noteAddresses(inside, { botId, userId: params.id }, [
        { kind, address: proven, verifiedBy: toMerger(caller).by },
      ])
      return readPerson(inside, caller, params.id)
    })
  },

  async listMergeSuggestions(context, { query }) {
    const page = operatorPage(context, 'listMergeSuggestions', query)
    const { finds } = context.services.database
    const { suggestions, next } = await listSuggestions(finds, operated(context.caller), {
      userId: query.userId,
      position: page.position,
      limit: page.limit,
    })
    return { suggestions, meta: next ? { nextToken: page.token(next) } : {} }
  },

  async keepUsersApart({ services, caller }, { params, body }) {
    const botId = operated(caller)
    await services.inTransaction(({ db }) =>
      separateUsers(db, botId, [params.id, body.userId]),
    )
    return {}
  },

  async getPersonRules({ services: { db }, caller }) {
    return { rules: await findPersonRules(db, operated(caller)) }
  },

  async setPersonRules({ services: { db }, caller }, { body }) {
    await storePersonRules(db, operated(caller), body)
    return { rules: body }
  },
}

async function readPerson(
  { db }: Pick<Services, 'db'>,
  caller: Caller<'bot'>,
  id: string,
) {
  return { person: { users: await findPersonUsers(db, operated(caller), id) } }
}

const toMerger = ({ account }: Caller<'bot'>) =>
  ({
    by: account ? ('account' as const) : ('bot' as const),
    accountId: account?.accountId ?? null,
  }) satisfies MergedBy
