/** The desktop's notification service, which writes down what it was to show. */
import { defineInterface } from 'dbus-native';
import type { DbusSession } from './dbus-session.ts';

const NAME = 'org.freedesktop.Notifications';

export interface ShownNotification {
  title: string;
  body: string;
}

export class DbusNotifications {
  readonly shown: ShownNotification[] = [];

  static async start(session: DbusSession): Promise<DbusNotifications> {
    const notifications = new DbusNotifications();
    await session.bus.export('/org/freedesktop/Notifications', notifications.#service());
    await session.bus.ownName(NAME);
    return notifications;
  }

  #service() {
    const notify = ({ title, body }: ShownNotification) => this.shown.push({ title, body });
    return defineInterface({
      name: NAME,
      methods: {
        GetCapabilities: { out: { capabilities: 'as' }, handler: () => ['body'] },
        GetServerInformation: {
          out: { name: 's', vendor: 's', version: 's', spec: 's' },
          handler: () => ({ name: 'test', vendor: 'test', version: '1', spec: '1.2' }),
        },
        CloseNotification: { in: { id: 'u' }, handler: () => undefined },
        Notify: {
          in: {
            app: 's',
            replaces: 'u',
            icon: 's',
            title: 's',
            body: 's',
            actions: 'as',
            hints: 'a{sv}',
            timeout: 'i',
          },
          out: { id: 'u' },
          handler: notify,
        },
      },
      signals: {
        NotificationClosed: { args: { id: 'u', reason: 'u' } },
        ActionInvoked: { args: { id: 'u', key: 's' } },
      },
    });
  }
}
