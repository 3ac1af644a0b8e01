import { ApiError, type Handlers, mayGive, type platform } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'
import { handOverAccount } from '../../invitations.ts'
import { findMember } from '../../members.ts'

export const members: Handlers<typeof platform.members, Contexts> = {
  /**
   * The creator of the token could use it, so the member must not have more permissions than the
   * caller.
   */
  async createMemberToken({ services, caller }, { params }) {
    const { role } = await findMember(services.db, caller.workspaceId, params.id)
    if (!mayGive(caller.role, role))
      throw new ApiError(
        'Forbidden',
        `The member's role, ${role}, has more permissions than yours`,
      )
    const pat = await services.db
      .transaction()
      .execute((trx) => handOverAccount(trx, caller.workspaceId, params.id))
    return { pat }
  },
}
