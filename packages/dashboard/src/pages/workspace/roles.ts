// The roles that a member may give: those without a permission that the member lacks.
import type { Role } from '@botstead/contract'
import { useMembership } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'

/** Returns the roles that the current member may give and take away. */
export function useGivableRoles(): Role[] {
  return useMembership()?.givableRoles ?? []
}

export const roleName = (role: Role) => texts.members.roles[role]
