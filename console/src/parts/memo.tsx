// Components that render again only when one of their properties changes; for rows of long lists.

import { Component, type ComponentType, type VNode } from 'preact'

export function memo<Props extends object>(Render: (props: Props) => VNode): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const names = Object.keys(next) as (keyof Props)[]
      return names.some((name) => next[name] !== this.props[name])
    }
    override render(props: Props) {
      return <Render {...props} />
    }
  }
}
