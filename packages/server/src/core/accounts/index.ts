import { bindings } from './services.ts'
import { tables } from './table-rules.ts'

export const accountsModule = { name: 'accounts', tables, bindings }
export {
  type Account,
  createAccount,
  createAccountIfNew,
  deleteAccount,
  findAccount,
  findAccountByEmail,
  lockAccount,
  onlyOwner,
  takeOverAccount,
  updateAccount,
} from './accounts.ts'
export {
  createOwnerToken,
  deleteArrivedAccounts,
  insertMovedAccounts,
  insertNewAccounts,
  suspendClaimed,
} from './arriving-accounts.ts'
export {
  bootstrap,
  completeFirstStart,
  firstWorkspaceId,
  isFirstStartComplete,
  replaceFirstToken,
} from './bootstrap.ts'
export type {
  AccountCaller,
  BotCaller,
  CallerFinder,
  CallerSession,
  CallerToken,
  ChatCaller,
  ChatUserCaller,
  FoundInstallation,
  Invalidation,
  SignedAddress,
  TokenCaller,
  UserKey,
  UserKeys,
  WorkspaceCaller,
} from './callers.ts'
export { checkHandle } from './handles.ts'
export {
  deleteInvitation,
  type Invitation,
  invitationColumns,
  upsertInvitation,
} from './invitation-rows.ts'
export { handOverAccount, isInNoOther } from './invitations.ts'
export {
  addMember,
  changeRole,
  findMember,
  findOnlyWorkspace,
  findRole,
  findRoles,
  insertMember,
  listMembers,
  listMemberships,
  type Member,
  removeMember,
  setRole,
} from './members.ts'
export { findPreference, setPreference } from './preferences.ts'
export { moveAddress, proveAddress } from './proofs.ts'
export type { AccountServices } from './services.ts'
export {
  createSession,
  endOtherSessions,
  endSession,
  findSession,
  findSessionRow,
  isOutdated,
  listSessions,
  type SessionAges,
  type SessionRow,
  type SignInMethod,
  useSession,
  type Visit,
} from './sessions.ts'
export { createTokenValue, tokenKind } from './token-format.ts'
export {
  createToken,
  deleteToken,
  findKeyBot,
  findKeyIntegration,
  findToken,
  listTokenHashes,
  listTokens,
  noToken,
  storeHostedKey,
  type Token,
  toApiKey,
} from './tokens.ts'
export {
  createWorkspace,
  deleteWorkspaceRow,
  findFirstWorkspaceId,
  findOwnerEmail,
  findPublicWorkspace,
  findWorkspace,
  hasWorkspaces,
  isOperator,
  isOwnedWithFirst,
  listOwnedAlone,
  listPublicWorkspaces,
  listWorkspaces,
  removeWorkspaceRow,
  updateWorkspace,
  type Workspace,
  type WorkspaceRow,
} from './workspaces.ts'
