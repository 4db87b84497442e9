import { sendMails } from '../../core/mails/send.ts'
import { startMailbox, textOf } from '../support/mailbox.ts'
import { startTestSite } from './site.ts'
import type { Site, TestSite } from './site.ts'

/** A site that sends mail, to a mail server of its own. */
export interface MailingSite {
  /** The same data without a mail server. */
  readonly silent: TestSite
  readonly site: Site
  /** What lies in the mailboxes by now, in plain text: each mail with whom it is to. */
  mails(): Promise<readonly { readonly to: string; readonly text: string }[]>
  /** Empties the mailboxes, and forgets what waits to leave. */
  empty(): Promise<void>
  stop(): Promise<void>
}

export async function startMailingSite(): Promise<MailingSite> {
  const silent = await startTestSite()
  const mailbox = await startMailbox()
  const site = await silent.another('http://gate.example', {
    settings: { SMTP_URL: `${mailbox.url}?ignoreTLS=true`, SMTP_FROM: 'gate@example.com' },
  })
  return {
    silent,
    site,
    async mails() {
      while (await sendMails(site.ctx));
      return mailbox.mails.map((mail) => ({ to: mail.to.join(), text: textOf(mail) }))
    },
    async empty() {
      mailbox.mails.length = 0
      await site.ctx.db.query('DELETE FROM mails')
      await site.ctx.db.query('DELETE FROM rate_limits')
    },
    async stop() {
      await mailbox.close()
      await silent.stop()
    },
  }
}
