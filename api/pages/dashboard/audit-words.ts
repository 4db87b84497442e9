/** What was changed, in words. Source: what is written with audit() in activities/; anything else is its code. */
const words: Readonly<Record<string, string>> = {
  'account.connected': 'Connected an account',
  'account.disconnected': 'Disconnected an account',
  'call.refunded': 'Refunded a call',
  'call.resolved': 'Recorded whether a call happened',
  'endpoint.settings': 'Changed what asks first',
  'invitation.made': 'Invited somebody',
  'invitation.revoked': 'Revoked an invitation',
  'invitation.used': 'Took an invitation',
  'key.app_granted': 'Let a key use one more app',
  'key.apps': 'Changed the apps of a key',
  'key.created': 'Made a key',
  'key.revoked': 'Revoked a key',
  'key.rotated': 'Replaced a key',
  'notices.email': 'Switched the emails',
  'passkey.added': 'Added a passkey',
  'passkey.refused': 'A passkey was refused',
  'passkey.removed': 'Removed a passkey',
  'password.changed': 'Changed the password',
  'pause.lifted': 'Had a refused action tried again',
  plan: 'Changed the size of the credits',
  scope: 'Changed what agents may do',
  signed_in: 'Signed in with a passkey',
  'signed_out.everywhere': 'Signed out everywhere',
  'standing.made': 'Approved in advance',
  'standing.renewed': 'Renewed a standing approval',
  'standing.revoked': 'Revoked a standing approval',
  'webhook.created': 'Added a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'webhook.secret': 'Replaced the secret of a webhook',
  'webhook.switched': 'Switched a webhook',
  'webhook.tested': 'Tested a webhook',
}

export function auditWords(action: string): string {
  return words[action] ?? action
}
