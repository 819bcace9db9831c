-- Sends a body in which every NAME has become a name never used before:
-- fresh.lua <folder of the scripts> <target> <file with the body> <start of the names>
function init(args)
    dofile(args[1] .. "/result.lua")
    local target, file, start = args[2], io.open(args[3], "rb"), args[4]
    local template = file:read("*a")
    file:close()
    -- Cut once, so that a request is one concatenation.
    local pieces, position = {}, 1
    while true do
        local from, to = template:find("NAME", position, true)
        if not from then break end
        pieces[#pieces + 1] = template:sub(position, from - 1)
        pieces[#pieces + 1] = ""
        position = to + 1
    end
    pieces[#pieces + 1] = template:sub(position)
    local number = 0
    wrk.method = "POST"
    request = function()
        for place = 2, #pieces, 2 do
            number = number + 1
            pieces[place] = start .. number
        end
        return wrk.format(nil, target, nil, table.concat(pieces))
    end
end
