#include "nephos_documents.h"

// #embed is part of C23; clang 19 and newer support it in earlier versions of C, too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char http[] = {
#embed "../../../docs/http.md"
};
static const unsigned char linux_ci[] = {
#embed "../../../docs/linux-ci.md"
};
static const unsigned char python[] = {
#embed "../../../docs/python.md"
};
static const unsigned char operating[] = {
#embed "../../../docs/operating.md"
};
static const unsigned char client[] = {
#embed "../../../docs/client.md"
};
static const unsigned char porting[] = {
#embed "../../../docs/porting.md"
};
static const unsigned char files[] = {
#embed "../../../docs/files.md"
};
static const unsigned char people[] = {
#embed "../../../docs/people.md"
};
static const unsigned char sharing[] = {
#embed "../../../docs/sharing.md"
};
static const unsigned char switches[] = {
#embed "../../../docs/switches.md"
};
static const unsigned char flags[] = {
#embed "../../../docs/flags.md"
};
static const unsigned char published_content[] = {
#embed "../../../docs/published-content.md"
};
static const unsigned char content[] = {
#embed "../../../docs/content.md"
};
static const unsigned char communications[] = {
#embed "../../../docs/communications.md"
};
static const unsigned char messages[] = {
#embed "../../../docs/messages.md"
};
static const unsigned char store_rules[] = {
#embed "../../../docs/store-rules.md"
};
static const unsigned char trends[] = {
#embed "../../../docs/trends.md"
};
static const unsigned char trends_kit[] = {
#embed "../../../docs/trends-kit.md"
};
static const unsigned char clients[] = {
#embed "../../../docs/clients.md"
};
static const unsigned char schema[] = {
#embed "../../../docs/schema.md"
};
static const unsigned char roles[] = {
#embed "../../../docs/roles.md"
};
static const unsigned char constraints[] = {
#embed "../../../docs/constraints.md"
};
static const unsigned char audiences[] = {
#embed "../../../docs/audiences.md"
};
static const unsigned char settings[] = {
#embed "../../../docs/settings.md"
};
static const unsigned char install[] = {
#embed "../../../docs/install.md"
};
static const unsigned char running[] = {
#embed "../../../docs/running.md"
};
static const unsigned char mail[] = {
#embed "../../../docs/mail.md"
};
static const unsigned char scaling[] = {
#embed "../../../docs/scaling.md"
};
static const unsigned char security[] = {
#embed "../../../docs/security.md"
};
static const unsigned char limits[] = {
#embed "../../../docs/limits.md"
};
static const unsigned char protocol[] = {
#embed "../../../docs/protocol.md"
};

// In the order of docs/README.md, in which the server's first page lists them: tasks first.
static const struct nephos_document documents[] = {
    {"http", http, sizeof http},
    {"linux-ci", linux_ci, sizeof linux_ci},
    {"python", python, sizeof python},
    {"operating", operating, sizeof operating},
    {"client", client, sizeof client},
    {"porting", porting, sizeof porting},
    {"files", files, sizeof files},
    {"people", people, sizeof people},
    {"sharing", sharing, sizeof sharing},
    {"switches", switches, sizeof switches},
    {"flags", flags, sizeof flags},
    {"published-content", published_content, sizeof published_content},
    {"content", content, sizeof content},
    {"communications", communications, sizeof communications},
    {"messages", messages, sizeof messages},
    {"store-rules", store_rules, sizeof store_rules},
    {"trends", trends, sizeof trends},
    {"trends-kit", trends_kit, sizeof trends_kit},
    {"clients", clients, sizeof clients},
    {"schema", schema, sizeof schema},
    {"roles", roles, sizeof roles},
    {"constraints", constraints, sizeof constraints},
    {"audiences", audiences, sizeof audiences},
    {"settings", settings, sizeof settings},
    {"install", install, sizeof install},
    {"running", running, sizeof running},
    {"mail", mail, sizeof mail},
    {"scaling", scaling, sizeof scaling},
    {"security", security, sizeof security},
    {"limits", limits, sizeof limits},
    {"protocol", protocol, sizeof protocol},
    {NULL, NULL, 0},
};

const struct nephos_document *nephos_documents(void) { return documents; }
