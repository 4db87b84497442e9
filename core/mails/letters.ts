/** A mail about an account. */
interface Letter {
  readonly subject: string
  readonly text: string
}

interface Said {
  /** The gateway's public URL when the mail is sent. */
  readonly publicUrl: string
  /** Token of the link; empty: no link. */
  readonly token: string
  readonly detail: Readonly<Record<string, string>>
}

const letters = {
  'password.link': ({ publicUrl, token }) => ({
    subject: 'Set a new password for Callgate',
    text: paragraphs(
      `Somebody asked for a new password of your account at ${hostOf(publicUrl)}. If it was you, set it here:`,
      `${publicUrl}/forgot/${token}`,
      'The link works once, for 30 minutes. If it was not you, do nothing: your password stays as it is.',
    ),
  }),
  'password.none': ({ publicUrl }) => ({
    subject: 'Your Callgate account takes no passwords',
    text: paragraphs(
      `Somebody asked for a new password of your account at ${hostOf(publicUrl)}. It takes passkeys only, so no password can be set.`,
      `If it was you, sign in with a passkey, or as you arranged for the day that you lose it: ${publicUrl}/login`,
      'If it was not you, do nothing.',
    ),
  }),
  'password.changed': ({ publicUrl }) => ({
    subject: 'Your Callgate password was changed',
    text: paragraphs(
      `The password of your account at ${hostOf(publicUrl)} was changed just now, and every browser was signed out.`,
      'If it was you, there is nothing to do.',
      `If it was not you, set a new one at once: ${publicUrl}/forgot`,
      'Then look through your passkeys and keys, and remove what you do not know.',
    ),
  }),
  'email.confirm': ({ publicUrl, token }) => ({
    subject: 'Confirm your new email address for Callgate',
    text: paragraphs(
      `Somebody wants this to be the email address of their account at ${hostOf(publicUrl)}. If it was you, confirm it here, signed in:`,
      `${publicUrl}/account/email/${token}`,
      'The link works once, for 24 hours. If it was not you, do nothing: it stays as it is.',
    ),
  }),
  'email.changed': ({ publicUrl, token, detail }) => ({
    subject: 'The email address of your Callgate account was changed',
    text: paragraphs(
      `Your account at ${hostOf(publicUrl)} has another email address: ${detail['to'] ?? ''}. This address is its address no more.`,
      'If it was you, there is nothing to do.',
      'If it was not you, take it back here. Every browser is signed out, and you set a new password:',
      `${publicUrl}/email/${token}`,
      'The link works once, for 7 days.',
    ),
  }),
  'grant.ended': ({ publicUrl, detail }) => ({
    subject: 'Callgate ended the access of a program',
    text: paragraphs(
      `“${(detail['name'] ?? '').replaceAll(/[^\p{L}\p{N} ._-]/gu, ' ')}” had access to your account at ${hostOf(publicUrl)}. Its sign-in was used from two places at once, as it is when somebody copied it, so its access has ended.`,
      'If you still use the program, connect it again.',
      `See what it did: ${publicUrl}/calls`,
    ),
  }),
  invitation: ({ publicUrl, token, detail }) => ({
    subject: `${detail['by'] ?? 'Somebody'} invites you to Callgate`,
    text: paragraphs(
      `${detail['by'] ?? 'Somebody'} invites you to the Callgate at ${hostOf(publicUrl)}. With it your AI agents use your apps for you, and what matters waits for your approval.`,
      'Choose a password, and you have an account of your own:',
      `${publicUrl}/invitation/${token}`,
      'The link works once, for 7 days. Give it to nobody else: whoever uses it first gets the account.',
      `If you have an account there already, sign in instead: ${publicUrl}/login`,
    ),
  }),
} as const satisfies Readonly<Record<string, (said: Said) => Letter>>

export type LetterKind = keyof typeof letters

/** Undefined: a kind that only a later release knows. */
export function letterOf(kind: string, said: Said): Letter | undefined {
  return Object.hasOwn(letters, kind) ? letters[kind as LetterKind](said) : undefined
}

function paragraphs(...all: readonly string[]): string {
  return `${all.join('\n\n')}\n`
}

function hostOf(publicUrl: string): string {
  return new URL(publicUrl).host
}
