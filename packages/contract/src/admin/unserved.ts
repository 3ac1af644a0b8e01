// Known by name and place, and answered with 501. To serve one, move it into the file of its resource and give it a shape.
import { unserved } from '../operation.ts'

export const adminUnserved = {
  deleteAccount: unserved('POST', '/v1/admin/account/me'),
  transferBot: unserved('POST', '/v1/admin/bots/{id}/transfer'),
  deleteWorkspace: unserved('DELETE', '/v1/admin/workspaces/{id}'),
  getAuditRecords: unserved('GET', '/v1/admin/workspaces/{id}/audit-records'),
  listActivities: unserved('GET', '/v1/admin/activities'),
}
