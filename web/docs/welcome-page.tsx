import type { JSX } from 'preact'
import { Layout } from '../parts/layout.tsx'
import { counted } from '../parts/time.tsx'

/** Which button of the demo was pressed. */
export type Tried = 'approve' | 'reject' | undefined

/** Landing page: the product on one screen, and a demo without effect. */
export function WelcomePage(props: {
  readonly publicUrl: string
  readonly apps: number
  readonly tried: Tried
}): JSX.Element {
  const { publicUrl, apps, tried } = props
  return (
    <Layout title="Your agents act, you say yes first" wide>
      <div class="welcome">
        <div>
          <h1>Your agents act in your apps. You say yes first.</h1>
          <p class="lead">
            {`Callgate lets AI agents and programs use ${counted(apps, 'app')} for you. What they only look up is answered at once. What reaches other people, or costs money, waits until you have seen it.`}
          </p>
          <p class="row buttons">
            <a class="button primary" href="/login">
              Sign in
            </a>
            <a class="button quiet" href="/docs/start">
              Quick start
            </a>
            <a class="button quiet" href="/docs">
              All apps and actions
            </a>
          </p>
          <p class="hint">For programs, without a key:</p>
          <pre class="command" tabindex={0}>
            <code>{`curl ${publicUrl}/api/v1/apps`}</code>
          </pre>
        </div>
        <Sample tried={tried} />
      </div>
    </Layout>
  )
}

function Sample({ tried }: { readonly tried: Tried }): JSX.Element {
  return (
    <form class="card" method="get" action="/" aria-labelledby="sample">
      <p class="eyebrow">Try it: an example, nothing is sent</p>
      <h2 id="sample">Send invoice 2031 (958.28 EUR) to “Ana Prado”</h2>
      <p>
        Your bookkeeping assistant asks, and says why: <q>The tour of 21 November is over.</q>
      </p>
      <dl class="facts">
        <div>
          <dt>Invoice</dt>
          <dd>2031, due 5 December 2026</dd>
        </div>
        <div>
          <dt>Reaches</dt>
          <dd>Ana Prado, by email</dd>
        </div>
      </dl>
      {tried === undefined ? (
        <p class="row buttons">
          <button class="danger" type="submit" name="tried" value="reject">
            Reject
          </button>
          <button class="primary" type="submit" name="tried" value="approve">
            Send invoice
          </button>
        </p>
      ) : (
        <>
          <div class={tried === 'approve' ? 'notice good' : 'notice plain'} role="status">
            <p>
              {tried === 'approve'
                ? 'Approved. Now it would be sent once, exactly as you saw it, and the assistant would be told what the app answered.'
                : 'Rejected. Nothing would be sent, it would cost nothing, and the assistant would be told that you said no.'}
            </p>
          </div>
          <p>
            <a href="/">Try again</a>
          </p>
        </>
      )}
    </form>
  )
}
