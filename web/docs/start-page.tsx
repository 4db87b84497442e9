import type { JSX } from 'preact'
import type { Example } from '../../connectors/examples.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { actionOf } from '../parts/declared.ts'
import { Layout } from '../parts/layout.tsx'
import type { Viewer } from '../parts/layout.tsx'
import { Text } from '../parts/text.tsx'
import { CodeBlock } from '../play/result.tsx'
import { curlOf } from './curl.ts'
import { DocsNav } from './nav.tsx'

/** An action to start with. */
export interface FirstCall {
  readonly endpoint: Endpoint
  readonly example: Example
}

interface StartProps {
  readonly viewer: Viewer | undefined
  readonly publicUrl: string
  /** Name and prefix of one of the user's valid keys; the full key is not stored. */
  readonly key: { readonly name: string; readonly hint: string } | undefined
  /** App of the examples: a connected one if there is any. */
  readonly app: App | undefined
  readonly read: FirstCall | undefined
  readonly write: FirstCall | undefined
}

/** Quick start for agent developers, approvers and operators. */
export function StartPage(props: StartProps): JSX.Element {
  return (
    <Layout title="Quick start" viewer={props.viewer} wide script="play.js">
      <DocsNav />
      <h1>Quick start</h1>
      <p class="lead">Three ways in. Choose yours.</p>
      <nav aria-label="Readers" class="places">
        <ul>
          <li>
            <a href="#program">I program an agent</a>
          </li>
          <li>
            <a href="#approve">I approve what agents do</a>
          </li>
          <li>
            <a href="#operate">I run Callgate</a>
          </li>
        </ul>
      </nav>
      <Program {...props} />
      <Approve />
      <Operate />
    </Layout>
  )
}

function Program({ viewer, publicUrl, key: own, app, read, write }: StartProps): JSX.Element {
  return (
    <section class="card prose" id="program" aria-labelledby="program-title">
      <h2 id="program-title">You program an agent</h2>
      <h3>1. A key</h3>
      {viewer === undefined ? (
        <p>
          <a href="/login?return_to=%2Fdocs%2Fstart">Sign in</a> and this page shows your own key’s beginning. A key is
          made at <a href="/keys">Keys</a> and shown once.
        </p>
      ) : own === undefined ? (
        <p>
          You have no key yet. <a href="/keys">Make one</a>: it is shown once.
        </p>
      ) : (
        <p>
          Your key <Text value={own.name} /> begins with <code>{own.hint}</code>. It was shown once, when it was made;
          if you do not have it any more, <a href="/keys">make another</a>.
        </p>
      )}
      <CodeBlock
        code={{
          id: 'key',
          name: 'In your shell',
          hint: 'Keeps it out of commands and files.',
          text: `read -rs CALLGATE_API_KEY && export CALLGATE_API_KEY   # ${own === undefined ? 'cg_live_…' : own.hint}`,
        }}
      />
      <h3>2. What there is</h3>
      <p>This needs no key:</p>
      <CodeBlock
        code={{
          id: 'apps',
          name: 'All apps',
          hint: app === undefined ? 'And then the actions of each.' : `And the actions of ${app.name}.`,
          text: `curl ${publicUrl}/api/v1/apps\ncurl ${publicUrl}/api/v1/${app?.slug ?? '{app}'}`,
        }}
      />
      {read && (
        <>
          <h3>3. A look-up</h3>
          <p>It is answered at once, with what the app says.</p>
          <CodeBlock
            code={{
              id: 'read',
              name: actionOf(read.endpoint, read.endpoint.name),
              hint: read.endpoint.summary,
              text: curlOf(publicUrl, read.endpoint, read.example.input),
            }}
          />
        </>
      )}
      {write && (
        <>
          <h3>4. Something that asks first</h3>
          <p>
            The answer is <code>202</code> with a <code>confirm_url</code>: nothing has been sent. Its person opens it,
            reads and approves. Then look at the call until it has ended.
          </p>
          <CodeBlock
            code={{
              id: 'write',
              name: actionOf(write.endpoint, write.endpoint.name),
              hint: 'What it did is told by the call, at the address in Location.',
              text: `${curlOf(publicUrl, write.endpoint, write.example.input)}\n\ncurl "${publicUrl}/api/v1/calls/{call_id}?wait=50" \\\n  -H "Authorization: Bearer $CALLGATE_API_KEY"`,
            }}
          />
        </>
      )}
      <h3>Or as tools of an agent</h3>
      <p>
        The address for MCP is <code>{`${publicUrl}/mcp`}</code>. Claude, ChatGPT, Cursor and VS Code need nothing else:
        they send you here to sign in. Where each asks for it is under <a href="/keys#programs">API keys</a>.
      </p>
      <CodeBlock
        code={{
          id: 'mcp',
          name: 'Claude Code',
          hint: 'In a shell.',
          text: `claude mcp add --transport http callgate ${publicUrl}/mcp`,
        }}
      />
      <p>
        More: <a href="/clients">clients for TypeScript and Python</a>, <a href="/docs/mcp">MCP</a>,{' '}
        <a href="/docs/webhooks">webhooks</a>, <a href="/docs/errors">errors</a>, <a href="/openapi.json">OpenAPI</a>,{' '}
        <a href="/play">try it in the browser</a>.
      </p>
    </section>
  )
}

function Approve(): JSX.Element {
  return (
    <section class="card prose" id="approve" aria-labelledby="approve-title">
      <h2 id="approve-title">You approve what agents do</h2>
      <ol>
        <li>
          <a href="/apps">Connect your apps.</a> You sign in to each yourself, in a browser window on the page. Callgate
          never types your password.
        </li>
        <li>
          <a href="/notices">Choose how you hear of it</a> when something waits: on your phone, by email, or by ntfy.
        </li>
        <li>
          When something waits, <a href="/waiting">open it</a>. You see who asks, why, and everything that would be
          sent. Approve it, reject it with a reason, or change it first. Whatever you do not approve in time is never
          sent.
        </li>
        <li>
          Too many questions? Choose for each app what asks first, or <a href="/standing">approve in advance</a> within
          limits that you set.
        </li>
        <li>
          See what was done on your <a href="/">overview</a> and among your <a href="/calls">calls</a>. If you do not
          trust an agent any more, <a href="/keys">revoke its key</a>: it ends at once.
        </li>
      </ol>
    </section>
  )
}

function Operate(): JSX.Element {
  return (
    <section class="card prose" id="operate" aria-labelledby="operate-title">
      <h2 id="operate-title">You run Callgate</h2>
      <CodeBlock
        code={{
          id: 'run',
          name: 'On your machine',
          hint: 'In the repository, with Node 20 or later. It brings Postgres, Temporal and made-up apps to try.',
          text: 'npm start',
        }}
      />
      <ol>
        <li>
          It prints its addresses. <code>.callgate/demo.json</code> has them too, with somebody to sign in as.
        </li>
        <li>
          For real use, <code>docs/deploying.md</code> in the repository has the composition for Docker, and{' '}
          <code>docs/operating.md</code> every setting. The first are <code>PUBLIC_URL</code>, where people find it, and{' '}
          <code>SMTP_URL</code>, so that it can send emails.
        </li>
        <li>
          Operators have pages of their own on the admin port (<code>ADMIN_PORT</code>, 8081): what runs, what stands
          still, and how to pause an app. Its <code>/readyz</code> and <code>/metrics</code> are for your monitoring.
        </li>
        <li>
          Apps of your own come as <a href="/docs/connectors">connectors</a>.
        </li>
      </ol>
    </section>
  )
}
