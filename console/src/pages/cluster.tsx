// For the administrator: the nodes and shards of the cluster, with moves and drains.

import { useState } from 'preact/hooks'
import { exchange } from '../exchange.ts'
import { dateTime, grouped, inWords, secondsBetween } from '../figures.ts'
import { useLoaded, usePolling } from '../loaded.ts'
import { Confirm } from '../parts/confirm.tsx'
import { SelectField } from '../parts/form.tsx'
import { Heads } from '../parts/heads.tsx'
import { Page } from '../parts/page.tsx'
import { Empty, LoadState, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { notify } from '../parts/toast.tsx'
import type { Cluster, ClusterNode, ClusterShard } from '../wire.ts'

const reloadMs = 2_000
/** A node is alive for so long after a beat. */
const aliveMs = 3_000

export function ClusterPage() {
  const cluster = useLoaded(() => exchange().admin.cluster(), [])
  const { data, reload } = cluster
  usePolling(reload, reloadMs)
  if (data === null) {
    return (
      <Page title="Cluster">
        <LoadState of={cluster} what="Nodes and shards" />
      </Page>
    )
  }
  const isCluster = data.nodes.some(({ address }) => address !== null)
  const props = { cluster: data, isCluster, onChanged: reload }
  return (
    <Page title="Cluster">
      <p class="lead">
        {isCluster
          ? 'Each shard is owned by one node, which executes the commands of its operators.'
          : 'This exchange runs in one process, which owns all shards. There is nothing to move.'}
      </p>
      <Nodes {...props} />
      <Shards {...props} />
      {isCluster ? <Takeovers {...props} /> : null}
    </Page>
  )
}

type Props = {
  readonly cluster: Cluster
  readonly isCluster: boolean
  readonly onChanged: () => void
}

function Nodes({ cluster: { nodes }, isCluster, onChanged }: Props) {
  const [drained, setDrained] = useState<ClusterNode | null>(null)
  return (
    <Panel title="Nodes">
      <div class="table-wrap">
        <table class="table compact">
          <Heads
            columns={[
              'Node',
              'State',
              ['Version', 'wide-only'],
              ['Last beat', 'number'],
              ['Shards', 'number'],
              ['Loop lag', 'number'],
              ...(isCluster ? ([['Drain', 'action']] as const) : []),
            ]}
          />
          <tbody>
            {nodes.map((node) => (
              <tr key={node.id}>
                <th scope="row">
                  {nameOf(node)}
                  <small>{node.id}</small>
                </th>
                <td>
                  <Status of={node.state} />
                </td>
                <td class="wide-only">{node.version}</td>
                <td class="number">{beatAge(node)}</td>
                <td class="number" title={node.shards.join(', ')}>
                  {node.shards.length}
                </td>
                <td class="number">{node.loopLagMs === null ? '–' : `${node.loopLagMs} ms`}</td>
                {isCluster ? (
                  <td class="number">
                    <button
                      type="button"
                      class="quiet small"
                      disabled={node.state !== 'ACTIVE'}
                      onClick={() => setDrained(node)}
                    >
                      Drain<span class="unseen"> {nameOf(node)}</span>
                    </button>
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {drained === null ? null : (
        <Confirm
          title={`Drain ${nameOf(drained)}?`}
          verb="Drain"
          word="DRAIN"
          onClose={() => setDrained(null)}
          onConfirm={async () => {
            await exchange().admin.drainNode(drained.id)
            notify('The node hands over its shards.')
            onChanged()
          }}
        >
          <p>
            The node hands over its {drained.shards.length} shards and claims none until it is
            started again. It goes on to serve clients.
          </p>
        </Confirm>
      )}
    </Panel>
  )
}

function Shards({ cluster, isCluster, onChanged }: Props) {
  const [moved, setMoved] = useState<ClusterShard | null>(null)
  const { nodes, shards } = cluster
  return (
    <Panel title="Shards">
      <div class="table-wrap">
        <table class="table compact">
          <Heads
            columns={[
              'Shard',
              'Owner',
              ['Epoch', 'number'],
              ['Lease left', 'number'],
              ['Operators', 'number'],
              ['Open orders', 'number'],
              ...(isCluster ? ([['Move', 'action']] as const) : []),
            ]}
          />
          <tbody>
            {shards.map((shard) => (
              <tr key={shard.shard}>
                <th scope="row">{shard.shard}</th>
                <td>
                  {shard.nodeId === null ? 'None' : nameIn(nodes, shard.nodeId)}
                  {shard.pinnedTo === null ? null : (
                    <small>Pinned to {nameIn(nodes, shard.pinnedTo)}</small>
                  )}
                </td>
                <td class="number">{shard.epoch}</td>
                <td class="number">{leaseLeft(shard)}</td>
                <td class="number">{grouped(String(shard.operators))}</td>
                <td class="number">
                  {shard.openOrders === null ? '–' : grouped(String(shard.openOrders))}
                </td>
                {isCluster ? (
                  <td class="number">
                    <button type="button" class="quiet small" onClick={() => setMoved(shard)}>
                      Move<span class="unseen"> shard {shard.shard}</span>
                    </button>
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {moved === null ? null : (
        <MoveDialog
          shard={moved}
          nodes={nodes}
          onClose={() => setMoved(null)}
          onChanged={onChanged}
        />
      )}
    </Panel>
  )
}

type MoveProps = {
  readonly shard: ClusterShard
  readonly nodes: readonly ClusterNode[]
  readonly onClose: () => void
  readonly onChanged: () => void
}

/** Stands for no node in the list of choices. */
const anyNode = 'any'

function MoveDialog({ shard, nodes, onClose, onChanged }: MoveProps) {
  const targets = nodes.filter(({ state }) => state === 'ACTIVE')
  const [nodeId, setNodeId] = useState(shard.pinnedTo ?? anyNode)
  const choices = [
    [anyNode, 'Any node: let the cluster balance it'] as const,
    ...targets.map((node) => [node.id, nameOf(node)] as const),
  ]
  return (
    <Confirm
      title={`Move shard ${shard.shard}?`}
      verb="Move"
      onClose={onClose}
      onConfirm={async () => {
        const target = nodeId === anyNode ? null : nodeId
        await exchange().admin.moveShard(shard.shard, { nodeId: target })
        notify(target === null ? 'The shard is not pinned any more.' : 'The shard has moved.')
        onChanged()
      }}
    >
      <p>
        Its {grouped(String(shard.operators))} operators wait for less than a second while the new
        owner loads it. It stays at that node while the node is alive.
      </p>
      <SelectField name="New owner" choices={choices} value={nodeId} onValue={setNodeId} />
    </Confirm>
  )
}

function Takeovers({ cluster: { nodes, takeovers } }: Props) {
  return (
    <Panel title="Last takeovers">
      {takeovers.length === 0 ? (
        <Empty>No takeovers yet.</Empty>
      ) : (
        <div class="table-wrap">
          <table class="table compact">
            <Heads
              columns={['When', ['Shard', 'number'], 'From', 'To', 'Reason', ['Took', 'number']]}
            />
            <tbody>
              {takeovers.map((takeover) => (
                <tr key={`${takeover.at} ${takeover.shard}`}>
                  <th scope="row">{dateTime(takeover.at)}</th>
                  <td class="number">{takeover.shard}</td>
                  <td>
                    {takeover.fromNodeId === null ? 'None' : nameIn(nodes, takeover.fromNodeId)}
                  </td>
                  <td>{nameIn(nodes, takeover.toNodeId)}</td>
                  <td>{inWords(takeover.reason)}</td>
                  <td class="number">{grouped(String(takeover.tookMs))} ms</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}

function nameOf({ address }: ClusterNode): string {
  return address ?? 'This process'
}

/** A node that has left is known by its id alone. */
function nameIn(nodes: readonly ClusterNode[], id: string): string {
  const node = nodes.find((each) => each.id === id)
  return node === undefined ? id : nameOf(node)
}

function beatAge({ aliveUntil }: ClusterNode): string {
  if (aliveUntil === null) return '–'
  return `${secondsBetween(Date.parse(aliveUntil) - aliveMs, Date.now())} s ago`
}

function leaseLeft({ leaseUntil, nodeId }: ClusterShard): string {
  if (leaseUntil === null || nodeId === null) return '–'
  return `${secondsBetween(Date.now(), Date.parse(leaseUntil))} s`
}
